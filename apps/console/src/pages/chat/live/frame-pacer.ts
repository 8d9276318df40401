/** The browser's frames and clock. */
interface Screen {
  now(): number;
  isVisible(): boolean;
  nextFrame(callback: () => void): void;
  /** Calls back when the current frame has been drawn. */
  afterFrame(callback: () => void): void;
  later(callback: () => void, millis: number): void;
}

/** Text that is drawn more often is not easier to read. */
const SHORTEST_MILLIS = 40;
/** Frames take at most this share of the time, so that typing and scrolling stay smooth on a slow machine. */
const SHARE = 1 / 5;
/** Text that grows less often looks stuck. */
const LONGEST_MILLIS = 400;
/** Hidden pages have no frames. */
const HIDDEN_MILLIS = 250;

/** Schedules the next frame of a growing text: the longer the last one took, the later. */
export class FramePacer {
  private last = -Infinity;
  private cost = 0;

  constructor(private readonly screen: Screen) {}

  readonly next = (draw: () => void): void => {
    const { screen } = this;
    if (!screen.isVisible()) return screen.later(draw, HIDDEN_MILLIS);
    const inFrame = () => screen.nextFrame(() => this.draw(draw));
    const between = Math.min(Math.max(this.cost / SHARE, SHORTEST_MILLIS), LONGEST_MILLIS);
    const rest = this.last + between - screen.now();
    if (rest <= 0) inFrame();
    else screen.later(inFrame, rest);
  };

  private draw(draw: () => void): void {
    const start = this.screen.now();
    this.last = start;
    draw();
    this.screen.afterFrame(() => (this.cost = this.screen.now() - start));
  }
}
