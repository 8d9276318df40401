import type { Service } from '@parlance/service-kit';
import { IdentityModule } from './identity.module.ts';

export { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';

export const identity: Service = { name: 'identity', module: (host) => IdentityModule.of(host) };
