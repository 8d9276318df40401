const EMPTY: Buffer = Buffer.alloc(0);
const END_OF_EVENT = '\n\n';
/** The longest event that is held back until it is complete. A stream with a longer one is passed on as it arrives, and not continued. */
const LONGEST_EVENT = 1024 * 1024;
const MOST_IN_VAIN = 3;
/** Events after which nothing follows, or nothing before a decision of the user. */
const LAST: ReadonlySet<string> = new Set(['done', 'error', 'approval']);

/** A stream of events that another replica can continue. Only whole events are passed on, so that it may break off at any byte. */
export class Continuation {
  private held = EMPTY;
  private event = '';
  /** How often the stream was continued since its last event. A replica that is about to end sends nothing. */
  private inVain = 0;

  constructor(
    /** Where the service sends the rest of the stream. */
    readonly path: string,
    /** The last event that the client has received; initially the one after which it resumes the stream. */
    private id: string | null,
  ) {}

  /** What has been received and not passed on, up to the last complete event. */
  wholeEvents(chunk: Buffer): Buffer {
    const received = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const end = received.lastIndexOf(END_OF_EVENT);
    if (end < 0 && received.length <= LONGEST_EVENT) {
      this.held = received;
      return EMPTY;
    }
    if (end < 0) {
      this.event = 'too long';
      this.held = EMPTY;
      return received;
    }
    this.held = received.subarray(end + END_OF_EVENT.length);
    const whole = received.subarray(0, end + END_OF_EVENT.length);
    this.note(whole.toString('latin1'));
    return whole;
  }

  /** Whether the stream broke off before its last event, and can be continued. */
  get mayGoOn(): boolean {
    return this.inVain < MOST_IN_VAIN && this.event !== 'too long' && !LAST.has(this.event);
  }

  /** The header with the position after which the stream continues. Drops what was not passed on. */
  position(): { 'last-event-id'?: string } {
    this.held = EMPTY;
    this.inVain++;
    return this.id === null ? {} : { 'last-event-id': this.id };
  }

  private note(events: string): void {
    const last = `\n${events}`.lastIndexOf('\nid: ');
    if (last < 0) return;
    const [, id, event] = /^id: (\S+)\nevent: (\S+)\n/.exec(events.slice(last, last + 300)) ?? [];
    if (id === undefined || event === undefined) return;
    [this.id, this.event, this.inVain] = [id, event, 0];
  }
}
