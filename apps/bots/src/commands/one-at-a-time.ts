/**
 * Runs one task at a time for each key, in the order of the calls. Otherwise concurrent commands on one stream would refuse each other as
 * `stream_busy`. Commands of other processes can still cause that refusal.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  do<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    this.last.set(key, done);
    const forget = () => {
      if (this.last.get(key) === done) this.last.delete(key);
    };
    done.then(forget, forget);
    return done;
  }
}
