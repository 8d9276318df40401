import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { failureOf, GenerationFailed } from '@parlance/chat-models';
import type { AnswerBody } from '../provider-call.ts';

/** The body of an answer that is written while it is read. */
export class TranslatedBody extends Readable implements AnswerBody {
  complete = false;
  readonly headers: IncomingHttpHeaders;

  constructor(
    contentType: string,
    private readonly pieces: AsyncGenerator<Buffer>,
    private readonly leave: () => void,
    readonly produced?: () => string,
  ) {
    // One piece is read ahead.
    super({ highWaterMark: 1 });
    this.headers = { 'content-type': contentType };
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.pieces.next().then(
      ({ done, value }) => {
        this.complete = done === true;
        this.push(done ? null : value);
      },
      (error: unknown) => this.destroy(error instanceof GenerationFailed ? error : failureOf(error, 'answering').failed),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.complete) this.leave();
    callback(error);
  }
}
