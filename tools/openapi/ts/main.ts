// Drives a running server through every operation of the API, by the types that
// openapi-typescript has generated from the description. What it calls is in
// drive.ts, which is written from the description too.
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./schema.js";
import { driveDescription, resources } from "./drive.js";

/** The id of no record. */
export const absent = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

/** A server, and three callers: a key that may write, one that may read, no key. */
export interface World {
  write: Client<paths>;
  read: Client<paths>;
  nobody: Client<paths>;
  /** Records that others refer to: the real id by that of the examples. */
  made: Map<string, string>;
}

/** One resource of the API, as drive.ts fills it in. */
export interface Resource {
  /** The id that its record has in the examples. */
  example: string;
  /** Makes or finds a record, and returns its id. */
  make: (w: World) => Promise<string>;
  drive: (w: World) => Promise<void>;
}

function caller(key: string | undefined): Client<paths> {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return createClient<paths>({ baseUrl: need("API", process.env["API"]), headers });
}

/**
 * How the example of a body is sent: to the digit, where a number of JavaScript
 * would be rounded, and with references to records that are there.
 */
export async function take(w: World, example: string): Promise<{ bodySerializer: () => string }> {
  for (const r of resources) {
    if (!example.includes(r.example)) {
      continue;
    }
    const id = w.made.get(r.example) ?? (await r.make(w));
    w.made.set(r.example, id);
    example = example.replaceAll(r.example, id);
  }
  return { bodySerializer: () => example };
}

/** The typed answer of an operation. It prints the operation's name. */
export function answer<T>(operation: string, r: { data?: T; error?: unknown; response: Response }, status: number): T {
  if (r.response.status !== status || r.data === undefined) {
    throw new Error(`${operation}: ${r.response.status} ${JSON.stringify(r.error ?? r.data)}, want ${status}`);
  }
  console.log(operation);
  return r.data;
}

/** The typed failure of an operation. */
export function failure<E>(operation: string, r: { error?: E; response: Response }, status: number): E {
  if (r.response.status !== status || r.error === undefined) {
    throw new Error(`${operation}: ${r.response.status}, want ${status}`);
  }
  console.log(operation);
  return r.error;
}

/** Throws unless what was found is what was wanted. */
export function same<T>(what: string, got: T, want: T): void {
  if (got !== want) {
    throw new Error(`${what}: ${String(got)}, want ${String(want)}`);
  }
}

/** Throws unless there is a value. */
export function need<T>(what: string, value: T | undefined): T {
  if (value === undefined) {
    throw new Error(`there is no ${what}`);
  }
  return value;
}

const w: World = { write: caller(process.env["WRITE_KEY"]), read: caller(process.env["READ_KEY"]), nobody: caller(undefined), made: new Map() };
await driveDescription(w);
for (const r of resources) {
  await r.drive(w);
}
