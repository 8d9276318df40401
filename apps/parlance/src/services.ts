import { analytics } from '@parlance/analytics';
import { bots } from '@parlance/bots';
import { edge } from '@parlance/edge';
import { identity } from '@parlance/identity';
import { inference } from '@parlance/inference';
import { publication } from '@parlance/publication';
import type { Service } from '@parlance/foundation';
import { UnknownName } from './unknown-name.ts';

/** In the order of their start. The edge starts last, because it needs the OpenAPI documents of the other services. */
export const services: readonly Service[] = [identity, bots, publication, inference, analytics, edge];

/** Throws `UnknownName`. */
export function serviceNamed(name: string | undefined): Service {
  const service = services.find((each) => each.name === name);
  if (!service) {
    throw new UnknownName(
      'service',
      name,
      services.map((each) => each.name),
    );
  }
  return service;
}
