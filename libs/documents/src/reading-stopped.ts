/** Thrown in the process when the service drops the document that is being read. */
export class ReadingStopped extends Error {}
