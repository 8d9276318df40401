import { Presets, SingleBar } from 'cli-progress';

/** Called with the current part of the work, and its progress. */
export type OnProgress = (title: string, position: number, total: number) => void;

export interface ProgressBar {
  /** `units` is the number for the rate; by default `position`. */
  show(title: string, position: number, total: number, units?: number): void;
  /** Prints a line above the bar. */
  print(line: string): void;
  end(): void;
}

/** A bar on standard error. Writes no bar unless standard error is a terminal. Lines are written to standard output. */
export function progressBar(unit: string, stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  const format = `{title} {bar} {value}/{total} {rate} ${unit}/s`;
  const bar = stream.isTTY ? new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.rect) : null;
  let now = { title: '', units: 0, since: 0 };
  const hide = () => {
    if (now.title !== '') bar?.stop();
    now = { title: '', units: 0, since: 0 };
  };
  return {
    show(title, position, total, units = position) {
      if (title !== now.title) {
        hide();
        now = { title, units, since: performance.now() };
        bar?.start(total, position, { title, rate: 0 });
        return;
      }
      const seconds = Math.max(0.001, (performance.now() - now.since) / 1_000);
      bar?.setTotal(total);
      bar?.update(position, { title, rate: Math.round((units - now.units) / seconds) });
    },
    print(line) {
      hide();
      process.stdout.write(`${line}\n`);
    },
    end: hide,
  };
}
