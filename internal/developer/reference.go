package developer

import "github.com/gin-gonic/gin"

// reference answers GET /reference: the API's description in Swagger UI, which runs in
// the browser. It is public, as the description is. A key that is typed into it stays
// in the memory of the page.
func (a *Area) reference(*gin.Context) (answer, error) {
	return page{name: "reference", title: "Reference"}, nil
}
