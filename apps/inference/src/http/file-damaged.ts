import { refuse } from '@parlance/decider';
import { Tampered } from '@parlance/privacy';

/** For `catch`: reports a damaged file as the refusal `file_damaged`, because repeating the request does not help. */
export function fileDamaged(error: unknown): never {
  if (!(error instanceof Tampered)) throw error;
  throw Object.assign(
    refuse(
      'missing',
      'file_damaged',
      'The stored bytes of this file are damaged, so it can no longer be read. Attach it to a new message.',
    ),
    { cause: error },
  );
}
