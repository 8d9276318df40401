import { ParlanceError } from '@parlance/client';
import { lazyRouteComponent } from '@tanstack/react-router';
import { BASE_PATH } from './addresses.ts';

/**
 * A page that is loaded when it is opened. If its file is missing, as after an upgrade, the router loads the whole console again. If the
 * server does not answer, a reload would end on the browser's own error page, so the failure is shown inside the console.
 */
export const lazyPage = ((importer, name) =>
  lazyRouteComponent(async () => {
    try {
      return await importer();
    } catch (cause) {
      if (await isServerThere()) throw cause;
      throw new ParlanceError('connection_failed', 'A page of the console could not be loaded.', { cause });
    }
  }, name)) as typeof lazyRouteComponent;

const isServerThere = (): Promise<boolean> =>
  fetch(`${BASE_PATH}/`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
