// Node runs this source without compiling it in tests; see limits.ts.
export type FaultCode = 'invalid_import' | 'import_too_large';

/** Thrown in the worker thread for a file that cannot be imported. The message is a full sentence for the user. */
export class ImportFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
