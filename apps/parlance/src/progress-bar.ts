import { Presets, SingleBar } from 'cli-progress';

/** How often a line is written where there is no terminal. */
const LINE_MILLIS = 10_000;

/** Called with the current part of the work, and its progress. */
export type OnProgress = (title: string, position: number, total: number) => void;

export interface ProgressBar {
  /** `units` is the number for the rate; by default `position`. */
  show(title: string, position: number, total: number, units?: number): void;
  /** Prints a line above the bar. */
  print(line: string): void;
  end(): void;
}

/**
 * A bar on standard error. If standard error is not a terminal, a long command writes a line now and then instead. Printed lines are written to
 * standard output.
 */
export function progressBar(unit: string, stream: NodeJS.WriteStream = process.stderr, now = () => performance.now()): ProgressBar {
  const format = `{title} {bar} {value}/{total} {rate} ${unit}/s`;
  const bar = stream.isTTY ? new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.rect) : null;
  let shown = { title: '', units: 0, since: 0 };
  let lineAt = now() + LINE_MILLIS;
  const hide = () => {
    if (shown.title !== '') bar?.stop();
    shown = { title: '', units: 0, since: 0 };
  };
  const writeLine = (title: string, position: number, total: number) => {
    if (bar || now() < lineAt) return;
    lineAt = now() + LINE_MILLIS;
    stream.write(`${title}: ${position} of ${total}\n`);
  };
  return {
    show(title, position, total, units = position) {
      writeLine(title, position, total);
      if (title !== shown.title) {
        hide();
        shown = { title, units, since: now() };
        bar?.start(total, position, { title, rate: 0 });
        return;
      }
      const seconds = Math.max(0.001, (now() - shown.since) / 1_000);
      bar?.setTotal(total);
      bar?.update(position, { title, rate: Math.round((units - shown.units) / seconds) });
    },
    print(line) {
      hide();
      process.stdout.write(`${line}\n`);
    },
    end: hide,
  };
}
