import type { Bot } from '@parlance/client/types';
import { bodyOf, sharingOf } from './sharing.ts';

const bot = {
  shared_scope: 'partial',
  allowed_user_ids: ['ada', 'bob'],
  allowed_group_ids: ['Sales'],
  editor_user_ids: ['bob'],
  editor_group_ids: [],
} as unknown as Bot;

describe('the sharing of a bot in its dialog', () => {
  it('lists groups before users, with their rights', () =>
    expect(sharingOf(bot)).toEqual({
      scope: 'partial',
      people: [
        { kind: 'group', id: 'Sales', mayEdit: false },
        { kind: 'user', id: 'ada', mayEdit: false },
        { kind: 'user', id: 'bob', mayEdit: true },
      ],
    }));

  it('is sent as it was read if nothing changes', () =>
    expect(bodyOf(sharingOf(bot))).toEqual({
      target_shared_scope: 'partial',
      target_allowed_user_ids: ['ada', 'bob'],
      target_allowed_group_ids: ['Sales'],
      target_editor_user_ids: ['bob'],
      target_editor_group_ids: [],
    }));

  it('has no lists for a private bot', () =>
    expect(bodyOf({ ...sharingOf(bot), scope: 'private' })).toEqual({ target_shared_scope: 'private' }));
});
