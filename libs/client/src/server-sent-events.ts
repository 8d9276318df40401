export interface ServerSentEvent {
  /** The ID of this event, or of the last one that had an ID. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** The length limit of an event. No event of the server is this long. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;
/** The server sends a comment every 15 seconds. A silent connection is broken even if it looks open. */
export const IDLE_MILLIS = 45_000;

/**
 * The events of a body. Ends when the body ends; a truncated event is left out. Throws if the connection breaks or nothing arrives for
 * `idleMillis`, and throws the reason of the signal.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  { signal, idleMillis = IDLE_MILLIS }: { signal?: AbortSignal | undefined; idleMillis?: number | undefined } = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const fields = { id: '', event: '', data: [] as string[] };
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await inTime(reader, idleMillis, signal);
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A trailing carriage return may be the first half of a line ending.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_EVENT_LENGTH) throw new Error('An event of the stream is too long.');
      for (const line of lines) {
        if (line !== '') read(line, fields);
        else if (fields.data.length > 0) {
          yield { id: fields.id, event: fields.event === '' ? 'message' : fields.event, data: fields.data.join('\n') };
          fields.data = [];
          fields.event = '';
        }
      }
    }
  } finally {
    // Closes the connection if the reader leaves before the end.
    void reader.cancel().catch(() => undefined);
  }
}

function read(line: string, fields: { id: string; event: string; data: string[] }): void {
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') fields.data.push(value);
  else if (name === 'event') fields.event = value;
  else if (name === 'id' && !value.includes('\0')) fields.id = value;
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

function inTime(reader: ReadableStreamDefaultReader<Uint8Array>, idleMillis: number, signal: AbortSignal | undefined): Promise<Chunk> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason as Error);
    const timer = setTimeout(() => reject(new Error('The stream was silent for too long.')), idleMillis);
    signal?.addEventListener('abort', abort, { once: true });
    void reader
      .read()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      });
  });
}
