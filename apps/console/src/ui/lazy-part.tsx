import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

// oxlint-disable-next-line typescript/no-explicit-any -- it has any properties
type AnyComponent = ComponentType<any>;

const TRIES = 3;
const PAUSE_MILLIS = 2_000;

/** For parts that a page can do without. */
export const Nothing = () => <></>;

/**
 * A part of a page that is loaded when it is shown. If it cannot be loaded, `instead` is shown. Without `instead`, the part appears when the
 * browser is online again, and an error is shown if the file is missing.
 */
export const lazyPart = <Name extends string, Part extends AnyComponent>(
  load: () => Promise<Readonly<Record<Name, Part>>>,
  name: Name,
  instead?: NoInfer<Part> | typeof Nothing,
): LazyExoticComponent<Part> =>
  lazy(async () => {
    for (let left = TRIES; ; await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS)))
      try {
        return { default: (await load())[name] };
      } catch (error) {
        if (instead) return { default: instead as Part };
        if (navigator.onLine && --left === 0) throw error;
      }
  });
