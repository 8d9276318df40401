import type { Service } from '@parlance/service-kit';
import { EdgeModule } from './edge.module.ts';
import { ClientAddress } from './http/client-address.ts';
import { Gateway } from './http/gateway.ts';

export const edge: Service = {
  name: 'edge',
  module: (host) => EdgeModule.of(host),
  http: ({ config }) => {
    const address = new ClientAddress(config.trustedProxies);
    return {
      // Nobody stands before the edge whose word about a caller counts.
      statements: null,
      addressOf: (request) => address.of(request.socket.remoteAddress ?? '', headerOf(request.headers['x-forwarded-for'])),
    };
  },
  install: (app, instance) => app.get(Gateway).install(instance),
};

const headerOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value);
