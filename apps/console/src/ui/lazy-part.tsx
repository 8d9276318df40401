import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

// oxlint-disable-next-line typescript/no-explicit-any -- it has any properties
type AnyComponent = ComponentType<any>;

const Nothing = () => <></>;

/** A part that a page can do without. If it cannot be loaded, for example because the browser is offline, `instead` is shown. */
export const lazyPart = <Name extends string, Part extends AnyComponent>(
  load: () => Promise<Readonly<Record<Name, Part>>>,
  name: Name,
  instead: NoInfer<Part> | typeof Nothing = Nothing,
): LazyExoticComponent<Part> =>
  lazy(() =>
    load().then(
      (its) => ({ default: its[name] }),
      () => ({ default: instead as Part }),
    ),
  );
