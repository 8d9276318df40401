import type { Administration } from '../translation.ts';
import { adminOperations as operations } from './admin/operations.ts';
import { adminPeople as people } from './admin/people.ts';

export const administration: Administration = { people, operations };
