import { SignedIn, UserRegistered } from '@parlance/contracts';
import { publishing, say } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

export const publishIdentity = publishing<IdentityEvent>('identity', {
  UserRegistered: (event, userId) =>
    say(UserRegistered, {
      user_id: userId,
      email: event.email,
      first_name: event.firstName,
      last_name: event.lastName,
      groups: [...event.groups],
    }),
  SessionStarted: (event, sessionId) => say(SignedIn, { user_id: event.userId, session_id: sessionId }),
});
