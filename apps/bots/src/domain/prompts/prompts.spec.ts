import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { type Person, PRIVATE, type Sharing, type SharingRequest } from '../sharing.ts';
import { MAX_PROMPTS_OF_USER } from './prompt-limits.ts';
import { type PromptContent, prompts, type PromptsCommand, type PromptsEvent } from './prompts.ts';

const given = specify(prompts);
const person = (userId: string, ...groups: string[]): Person => ({ userId, groups });
const [ann, ed, vi, eve, admin] = [person('ann'), person('ed'), person('vi'), person('eve'), person('root', 'Admin')];

const content = (command: string): PromptContent => ({
  title: 'sealed title',
  command: `sealed ${command}`,
  commandHash: command,
  description: null,
  text: 'sealed text',
});
const created = (promptId = 'p', command = 'mail'): PromptsEvent => ({
  type: 'PromptCreated',
  promptId,
  ownerId: 'ann',
  content: content(command),
});
const create = (promptId = 'p', command = 'mail'): PromptsCommand => ({
  type: 'Create',
  promptId,
  ownerId: 'ann',
  content: content(command),
});
const change = (by: Person, command = 'mail', basedOn = 1, changed = ['text']): PromptsCommand => ({
  type: 'Change',
  promptId: 'p',
  by,
  basedOn,
  changed,
  content: content(command),
});
const restore = (by: Person, command = 'mail', basedOn = 1): PromptsCommand => ({
  type: 'Restore',
  promptId: 'p',
  by,
  basedOn,
  restored: 1,
  content: content(command),
});
const share = (by: Person, sharing: SharingRequest, basedOn?: number): PromptsCommand => ({
  type: 'Share',
  promptId: 'p',
  by,
  sharing,
  ...(basedOn !== undefined && { basedOn }),
});
const remove = (by: Person, basedOn?: number): PromptsCommand => ({
  type: 'Delete',
  promptId: 'p',
  by,
  ...(basedOn !== undefined && { basedOn }),
});
const partial: Sharing = { scope: 'partial', userIds: ['ed', 'vi'], groupIds: ['team'], editorUserIds: ['ed'], editorGroupIds: [] };
const shared: PromptsEvent = {
  type: 'PromptSharingChanged',
  promptId: 'p',
  version: 2,
  by: 'ann',
  because: 'requested',
  before: PRIVATE,
  after: partial,
};
const changed = (version: number, by: string, command = 'mail'): PromptsEvent => ({
  type: 'PromptChanged',
  promptId: 'p',
  version,
  by,
  changed: ['text'],
  content: content(command),
});
const deleted: PromptsEvent = { type: 'PromptDeleted', promptId: 'p', version: 2, sharing: PRIVATE, because: 'requested' };

describe('creating a prompt', () => {
  it('creates it', () => given().when(create()).emits(created()));
  it('does nothing when repeated', () => given(created()).when(create()).emits());
  it('is refused if the owner has another prompt with this command', () => given(created()).when(create('q')).refuses('command_taken'));
  it('may use the command of a deleted prompt', () => given(created(), deleted).when(create('q')).emits(created('q')));
  it('may use a command that another prompt no longer has', () =>
    given(created(), changed(2, 'ann', 'letter'))
      .when(create('q'))
      .emits(created('q')));
  it('is refused at the limit', () => {
    const all = Array.from({ length: MAX_PROMPTS_OF_USER }, (_, nth) => created(`p${nth}`, `c${nth}`));
    given(...all)
      .when(create())
      .refuses('too_many_prompts');
    given(...all.slice(1))
      .when(create())
      .emits(created());
  });
  it('is refused for an erased user', () => given({ type: 'PromptsErased', prompts: 0 }).when(create()).refuses('invalid_token'));
});

describe('changing a prompt', () => {
  it('is for its owner', () => given(created()).when(change(ann)).emits(changed(2, 'ann')));
  it('is for its editors', () =>
    given(created(), shared)
      .when(change(ed, 'mail', 2))
      .emits(changed(3, 'ed')));
  it('is for administrators, if it is shared', () =>
    given(created(), shared)
      .when(change(admin, 'mail', 2))
      .emits(changed(3, 'root')));
  it('is refused to viewers', () =>
    given(created(), shared)
      .when(change(vi, 'mail', 2))
      .refuses('not_prompt_editor'));
  it('is refused to users who may not see it, as if it did not exist', () => {
    given(created(), shared)
      .when(change(eve, 'mail', 2))
      .refuses('prompt_not_found');
    given(created()).when(change(admin)).refuses('prompt_not_found');
    given().when(change(ann)).refuses('prompt_not_found');
    given(created(), deleted).when(change(ann)).refuses('prompt_not_found');
  });
  it('does nothing if nothing differs', () =>
    given(created())
      .when(change(ann, 'mail', 1, []))
      .emits());
  it('is refused if it was made for an earlier version', () =>
    given(created(), changed(2, 'ann'))
      .when(change(ann, 'mail', 1))
      .refuses('version_stale'));
  it('is refused if another prompt of the owner has the command', () => {
    given(created(), created('q', 'letter')).when(change(ann, 'letter')).refuses('command_taken');
    given(created(), created('q', 'letter'), shared)
      .when(change(ed, 'letter', 2))
      .refuses('command_taken');
  });
});

describe('restoring a version', () => {
  const restored = (version: number, by: string): PromptsEvent => ({
    type: 'PromptRestored',
    promptId: 'p',
    version,
    by,
    restored: 1,
    content: content('mail'),
  });
  it('makes a new version', () =>
    given(created(), changed(2, 'ann'))
      .when(restore(ann, 'mail', 2))
      .emits(restored(3, 'ann')));
  it('is refused to editors', () =>
    given(created(), shared)
      .when(restore(ed, 'mail', 2))
      .refuses('not_prompt_owner'));
  it('is refused if another prompt now has the command', () =>
    given(created('p', 'letter'), created('q')).when(restore(ann)).refuses('command_taken'));
  it('is refused if the prompt has changed meanwhile', () =>
    given(created(), changed(2, 'ann')).when(restore(ann)).refuses('version_stale'));
});

describe('sharing a prompt', () => {
  const request = {
    scope: 'partial',
    userIds: ['ed', 'vi'],
    groupIds: ['team'],
    editorUserIds: ['ed'],
    editorGroupIds: [],
  } as const;
  it('changes who may see and change it', () => given(created()).when(share(ann, request)).emits(shared));
  it('does nothing when repeated', () => given(created(), shared).when(share(ann, request)).emits());
  it('is refused to editors', () =>
    given(created(), shared)
      .when(share(ed, { scope: 'all' }))
      .refuses('not_prompt_owner'));
  it('is refused with an editor who is not listed', () =>
    given(created())
      .when(share(ann, { scope: 'partial', editorUserIds: ['ed'] }))
      .refuses('editor_not_listed'));
  it('is refused if it was made for an earlier version', () =>
    given(created(), shared)
      .when(share(ann, { scope: 'all' }, 1))
      .refuses('version_stale'));
  it('forgets erased users and deleted groups', () => {
    const after = { ...partial, userIds: ['vi'], editorUserIds: [] };
    const forgot = { type: 'PromptSharingChanged', promptId: 'p', version: 3, by: null, before: partial } as const;
    given(created(), created('q', 'letter'), shared)
      .when({ type: 'ForgetListed', gone: { userId: 'ed' } })
      .emits({ ...forgot, because: 'user_erased', after });
    given(created(), shared)
      .when({ type: 'ForgetListed', gone: { group: 'team' } })
      .emits({ ...forgot, because: 'group_deleted', after: { ...partial, groupIds: [] } });
  });
});

describe('deleting a prompt', () => {
  it('is for its owner', () => given(created()).when(remove(ann)).emits(deleted));
  it('is refused to editors', () => given(created(), shared).when(remove(ed)).refuses('not_prompt_owner'));
  it('is refused if it was made for an earlier version', () => given(created(), shared).when(remove(ann, 1)).refuses('version_stale'));
  it('happens to all prompts of an erased owner', () =>
    given(created(), created('q', 'letter'))
      .when({ type: 'Erase' })
      .emits(
        { ...deleted, because: 'owner_erased' } as PromptsEvent,
        { ...deleted, promptId: 'q', because: 'owner_erased' } as PromptsEvent,
        { type: 'PromptsErased', prompts: 2 },
      ));
  it('is not repeated with an erasure', () => given({ type: 'PromptsErased', prompts: 2 }).when({ type: 'Erase' }).emits());
});
