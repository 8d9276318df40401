import { adminOperations as operations } from './admin/operations.ts';
import { adminPeople as people } from './admin/people.ts';

/** The texts of the pages of administrators. */
export const administration = { people, operations };
