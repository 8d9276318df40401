/** Lets one at a time of each name through, in the order of their coming. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(name);
    const turn = before ? before.then(work, work) : work();
    this.last.set(name, turn);
    const leave = () => {
      if (this.last.get(name) === turn) this.last.delete(name);
    };
    turn.then(leave, leave);
    return turn;
  }
}
