import { z } from 'zod';
import { type DataOf, groups, id, publicEvent, sealed } from './public-event.ts';

export const UserRegistered = publicEvent(
  'parlance.identity.user-registered.v1',
  'Somebody can sign in from now on.',
  z.strictObject({ user_id: id, email: sealed, first_name: sealed, last_name: sealed, groups }),
);
export type UserRegistered = DataOf<typeof UserRegistered>;

export const SignedIn = publicEvent(
  'parlance.identity.signed-in.v1',
  'A user proved who they are; a session began.',
  z.strictObject({ user_id: id, session_id: id }),
);
export type SignedIn = DataOf<typeof SignedIn>;
