import { every, type Schedule, SECOND } from '@parlance/foundation';
import { Deployments } from './workflows/deployments.ts';

export const schedule: Schedule = [
  every(SECOND, 'continue deployments', Deployments, (deployments) => deployments.takeOver(), {
    stop: (deployments) => deployments.stop(),
    rests: () => true,
  }),
];
