import type { HttpTargets } from '@parlance/calls/http-targets';
import type { Host } from '@parlance/foundation';
import { LocalForward } from './forward-in-process.ts';
import type { ServiceForward } from './service-forward.ts';

/** `targets`: the addresses of the services; null if they run in this process. */
export async function openForward({ local, statements }: Host, targets: HttpTargets | null): Promise<ServiceForward> {
  if (targets === null) return new LocalForward(local, statements);
  const { HttpForward } = await import('./forward-http.ts');
  return new HttpForward(targets, statements);
}
