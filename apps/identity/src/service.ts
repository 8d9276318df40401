import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { IdentityModule } from './identity.module.ts';
import { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';
import { schedule } from './schedule.ts';

export { MakeFirstAdminOnFirstStart };

export const identity: Service = {
  name: 'identity',
  handlers,
  module: (host) => IdentityModule.of(host),
  schedule,
  http: () => ({ jsonTypes: ['application/scim+json'] }),
  announce: (app) => {
    const { made } = app.get(MakeFirstAdminOnFirstStart);
    return made?.password ? `The first Admin is ${made.email}, with the password ${made.password} (shown only once: change it)` : null;
  },
};
