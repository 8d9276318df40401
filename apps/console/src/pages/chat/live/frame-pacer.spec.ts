import { describe, expect, it } from '@jest/globals';
import { FramePacer } from './frame-pacer.ts';

/** A screen whose clock the spec controls. Each frame takes `cost` milliseconds. */
function screenWith(cost: number, isVisible = true) {
  const screen = { time: 1_000, cost, isVisible, pauses: [] as number[], due: null as (() => void) | null };
  let behind: (() => void)[] = [];
  const frames = new FramePacer({
    now: () => screen.time,
    isVisible: () => screen.isVisible,
    nextFrame: (callback) => (screen.due = callback),
    afterFrame: (callback) => void behind.push(callback),
    later: (callback, millis) => {
      screen.pauses.push(millis);
      screen.due = () => {
        screen.time += millis;
        callback();
      };
    },
  });
  /** Requests a frame and draws it. Returns the time between the starts of the last frame and this one. */
  let last = NaN;
  const draw = (): number => {
    const drawn: number[] = [];
    frames.next(() => {
      drawn.push(screen.time - last);
      last = screen.time;
    });
    while (drawn.length === 0) screen.due!();
    screen.time += screen.cost;
    for (const callback of behind) callback();
    behind = [];
    return drawn[0]!;
  };
  return { screen, draw };
}

describe('frames of a growing text', () => {
  it('are drawn at once at first, and at most 25 times a second', () => {
    const { screen, draw } = screenWith(2);
    draw();
    expect(screen.pauses).toEqual([]);
    expect([draw(), draw()]).toEqual([40, 40]);
  });
  it('take a fifth of the time on a slow machine', () => {
    const { draw } = screenWith(30);
    draw();
    expect([draw(), draw()]).toEqual([150, 150]);
  });
  it('come more often again when they take less time', () => {
    const { screen, draw } = screenWith(30);
    draw();
    draw();
    screen.cost = 1;
    draw();
    expect(draw()).toBe(40);
  });
  it('come twice a second and more, however long they take', () => {
    const { draw } = screenWith(200);
    draw();
    expect([draw(), draw()]).toEqual([400, 400]);
  });
  it('are replaced by a timer in a hidden page', () => {
    const { screen, draw } = screenWith(2, false);
    draw();
    expect(screen.pauses).toEqual([250]);
  });
});
