import { operationRoutes } from './operations/routes.tsx';
import { peopleRoutes } from './people/routes.tsx';

export const adminRoutes = [...peopleRoutes, ...operationRoutes];
