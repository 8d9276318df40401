import { waitFor } from '@parlance/testing';

export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  // The content of the stream is under test, so it is not typed.
  readonly data: any; // oxlint-disable-line no-explicit-any
}

/** Reads server-sent events as they arrive. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  comments = 0;
  hasEnded = false;
  private readonly gone = new AbortController();

  private constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {}

  static async open(url: string, init: RequestInit): Promise<EventReader> {
    const gone = new AbortController();
    const answer = await fetch(url, { ...init, signal: gone.signal });
    const reader = new EventReader(answer.status, answer.headers);
    reader.gone.signal.addEventListener('abort', () => gone.abort());
    void reader.read(answer).catch(() => undefined);
    return reader;
  }

  async until(what: string, enough: (events: readonly ReadEvent[]) => boolean): Promise<this> {
    await waitFor(() => enough(this.events), { what: `${what} in ${JSON.stringify(this.events.slice(-3))}` });
    return this;
  }

  /** Waits for the end of the stream. */
  async whole(): Promise<this> {
    await waitFor(() => this.hasEnded, { what: 'the end of the stream' });
    return this;
  }

  leave(): void {
    this.gone.abort();
  }

  get names(): string {
    return this.events.map(({ event }) => event).join(' ');
  }

  /** The text that was received since the latest beginning. */
  get text(): string {
    const from = this.events.findLastIndex(({ event }) => event === 'start' || event === 'restarted');
    return this.events
      .slice(from + 1)
      .flatMap(({ event, data }) => (event === 'delta' ? [data.text] : []))
      .join('');
  }

  get last(): ReadEvent {
    return this.events.at(-1)!;
  }

  private async read(answer: Response): Promise<void> {
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        if (part.startsWith(':')) this.comments++;
        else this.events.push(eventIn(part));
      }
    }
    this.hasEnded = true;
  }
}

function eventIn(text: string): ReadEvent {
  const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text)!;
  return { id: id!, event: event!, data: JSON.parse(data!) };
}
