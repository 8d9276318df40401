import { type ComponentType, lazy, type LazyExoticComponent, useEffect } from 'react';
import { messages } from '../messages/index.ts';
import { toastError } from './toasts.tsx';

// oxlint-disable-next-line typescript/no-explicit-any -- it has any properties
type AnyComponent = ComponentType<any>;

/** For parts that a page can do without. */
export const Nothing = () => <></>;

/** Says that a part is missing, and leaves the page with what the user has entered. */
function Missing() {
  useEffect(() => toastError(new Error(messages().common.partMissing)), []);
  return null;
}

/**
 * A part of a page that is loaded when it is shown. If it cannot be loaded, for example because the browser is offline, `instead` is shown. Browsers
 * do not request a file again that they could not load, so it is missing until the user loads the page again.
 */
export const lazyPart = <Name extends string, Part extends AnyComponent>(
  load: () => Promise<Readonly<Record<Name, Part>>>,
  name: Name,
  instead: NoInfer<Part> | typeof Nothing | typeof Missing = Missing,
): LazyExoticComponent<Part> =>
  lazy(() =>
    load().then(
      (its) => ({ default: its[name] }),
      () => ({ default: instead as Part }),
    ),
  );
