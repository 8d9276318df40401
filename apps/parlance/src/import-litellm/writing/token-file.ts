import { closeSync, existsSync, fchmodSync, fdatasyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { linesOf } from '../../migrate/source/lines.ts';
import { NotDone } from '../../not-done.ts';

export interface NewToken {
  readonly alias: string;
  /** The shortened key of LiteLLM, such as sk-...abcd. */
  readonly litellm_key: string | null;
  readonly token_id: string;
  readonly token: string;
  readonly mark: string;
}

const ONLY_THE_OWNER = 0o600;

/**
 * The file with the new tokens, which only its owner can read. Each token is in it before the next one is made. The file `….pending` names the key
 * of the next token. If the run is killed, the next run revokes that token unless the file contains it.
 */
export class TokenFile {
  private constructor(
    private readonly path: string,
    private readonly file: number,
    private readonly marks: Set<string>,
    /** The mark of a key whose token an interrupted run may have made without writing it down. */
    readonly interrupted: string | null,
  ) {}

  /** Throws `NotDone`. */
  static async open(path: string): Promise<TokenFile> {
    const marks = new Set<string>();
    let file;
    try {
      if (existsSync(path)) for await (const { text } of linesOf(path)) marks.add(markOf(text));
      file = openSync(path, 'a', ONLY_THE_OWNER);
      fchmodSync(file, ONLY_THE_OWNER);
    } catch (error) {
      throw new NotDone(`--tokens: ${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'it is not a file of tokens'}`);
    }
    const pending = existsSync(pendingOf(path)) ? readFileSync(pendingOf(path), 'utf8').trim() : null;
    return new TokenFile(path, file, marks, pending !== null && !marks.has(pending) ? pending : null);
  }

  has(mark: string): boolean {
    return this.marks.has(mark);
  }

  begin(mark: string): void {
    writeFileSync(pendingOf(this.path), mark, { mode: ONLY_THE_OWNER });
  }

  add(token: NewToken): void {
    writeSync(this.file, `${JSON.stringify(token)}\n`);
    fdatasyncSync(this.file);
    this.marks.add(token.mark);
  }

  close(): void {
    closeSync(this.file);
    rmSync(pendingOf(this.path), { force: true });
  }
}

const pendingOf = (path: string): string => `${path}.pending`;

/** A killed run can leave half a line. */
function markOf(text: string | null): string {
  try {
    return String((JSON.parse(text ?? '') as NewToken).mark);
  } catch {
    return '';
  }
}
