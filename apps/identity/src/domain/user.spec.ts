import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { user, type UserCommand, type UserEvent } from './user.ts';

const given = specify(user);
const facts = { email: 's1.e', firstName: 's1.f', lastName: 's1.l', passwordHash: 'hash', groups: ['Admin'], mustChangePassword: true };
const register: UserCommand = { type: 'Register', ...facts };
const registered: UserEvent = { type: 'UserRegistered', ...facts };

describe('registering a user', () => {
  it('records what is known of them', () => given().when(register).emits(registered));
  it('refuses an id that is taken', () => given(registered).when(register).refuses('user_exists'));
});
