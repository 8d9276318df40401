import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { MAX_MEMBERS_OF_PROJECT, MAX_PROJECTS_OF_USER } from './project-limits.ts';
import { type MemberRole, projects, type ProjectsCommand, type ProjectsEvent } from './projects.ts';

const given = specify(projects);

const settings = { title: 'sealed title', instruction: null, botId: null, model: null } as const;
const created = (projectId = 'p'): ProjectsEvent => ({ type: 'ProjectCreated', projectId, ownerId: 'ann', ...settings });
const create = (projectId = 'p'): ProjectsCommand => ({ type: 'Create', projectId, by: 'ann', ...settings });
const set = (userId: string, role: MemberRole, projectId = 'p') => ({ type: 'ProjectMemberSet', projectId, userId, role }) as const;
const on = { projectId: 'p' } as const;
const shared = [created(), set('ed', 'editor'), set('vi', 'viewer')];

describe('creating a project', () => {
  it('is recorded', () => given().when(create()).emits(created()));
  it('is idempotent', () => given(created()).when(create()).emits());
  it('is refused for a user with too many projects, until one is deleted', () => {
    const many = Array.from({ length: MAX_PROJECTS_OF_USER }, (_, index) => created(`p${index}`));
    given(...many)
      .when(create())
      .refuses('too_many_projects');
    given(...many, { type: 'ProjectDeleted', projectId: 'p0', members: [], because: 'owner' })
      .when(create())
      .emits(created());
  });
  it('is refused once the user is erased', () => given({ type: 'ProjectsErased', projects: 0 }).when(create()).refuses('user_not_found'));
});

describe('changing a project', () => {
  const change = (by: string): ProjectsCommand => ({ type: 'Change', ...on, by, changes: { model: 'local' } });
  it.each(['ann', 'ed'])('is for its owner and its editors (%s)', (by) =>
    given(...shared)
      .when(change(by))
      .emits({ type: 'ProjectChanged', ...on, by, changes: { model: 'local' } }),
  );
  it('is not for viewers', () =>
    given(...shared)
      .when(change('vi'))
      .refuses('not_project_editor'));
  it('does nothing without a change', () =>
    given(...shared)
      .when({ type: 'Change', ...on, by: 'ann', changes: {} })
      .emits());
  it('does not find the project for others, or a project that does not exist', () => {
    given(...shared)
      .when(change('eve'))
      .refuses('project_not_found');
    given().when(change('ann')).refuses('project_not_found');
    given(created('another')).when(change('ann')).refuses('project_not_found');
  });
});

describe('adding a member', () => {
  const add = (by: string, userId: string, role: MemberRole = 'viewer'): ProjectsCommand => ({
    type: 'SetMember',
    ...on,
    by,
    userId,
    role,
  });
  it('is recorded', () =>
    given(created())
      .when(add('ann', 'vi'))
      .emits({ ...set('vi', 'viewer'), isNew: true }));
  it('changes the role of a member', () =>
    given(...shared)
      .when(add('ann', 'vi', 'editor'))
      .emits(set('vi', 'editor')));
  it('is idempotent', () =>
    given(...shared)
      .when(add('ann', 'vi'))
      .emits());
  it('is only for the owner', () => {
    for (const by of ['ed', 'vi'])
      given(...shared)
        .when(add(by, 'new'))
        .refuses('not_project_owner');
    given(...shared)
      .when(add('eve', 'eve'))
      .refuses('project_not_found');
  });
  it('is refused for the owner', () =>
    given(...shared)
      .when(add('ann', 'ann'))
      .refuses('member_is_owner'));
  it('is refused for a full project, whose roles still change', () => {
    const full = [created(), ...Array.from({ length: MAX_MEMBERS_OF_PROJECT }, (_, index) => set(`u${index}`, 'viewer'))];
    given(...full)
      .when(add('ann', 'new'))
      .refuses('too_many_members');
    given(...full)
      .when(add('ann', 'u0', 'editor'))
      .emits(set('u0', 'editor'));
  });
});

describe('removing a member', () => {
  const remove = (by: string, userId: string): ProjectsCommand => ({ type: 'RemoveMember', ...on, by, userId });
  const removed = (userId: string, because: 'removed' | 'left' | 'user_erased', projectId = 'p'): ProjectsEvent => ({
    type: 'ProjectMemberRemoved',
    projectId,
    userId,
    because,
  });
  it('is for the owner', () =>
    given(...shared)
      .when(remove('ann', 'vi'))
      .emits(removed('vi', 'removed')));
  it('is for the member, who leaves', () =>
    given(...shared)
      .when(remove('vi', 'vi'))
      .emits(removed('vi', 'left')));
  it('is not for other members, or others', () => {
    given(...shared)
      .when(remove('ed', 'vi'))
      .refuses('not_project_owner');
    given(...shared)
      .when(remove('eve', 'eve'))
      .refuses('project_not_found');
  });
  it('is refused for the owner, and does nothing for a user who is no member', () => {
    given(...shared)
      .when(remove('ann', 'ann'))
      .refuses('member_is_owner');
    given(...shared)
      .when(remove('ann', 'eve'))
      .emits();
  });
  it('ends the rights of the member', () =>
    given(...shared, removed('ed', 'removed'))
      .when({ type: 'Change', ...on, by: 'ed', changes: { model: null } })
      .refuses('project_not_found'));
  it('from all projects follows the erasure of the member', () => {
    given(...shared, created('q'), created('r'), set('vi', 'editor', 'r'))
      .when({ type: 'EraseMember', userId: 'vi' })
      .emits(removed('vi', 'user_erased'), removed('vi', 'user_erased', 'r'));
    given(...shared)
      .when({ type: 'EraseMember', userId: 'eve' })
      .emits();
  });
});

describe('deleting a project', () => {
  const remove = (by: string, holds: readonly string[] = [], forAdmin = false): ProjectsCommand => {
    return { type: 'Delete', ...on, by, holds, forAdmin };
  };
  it('is recorded with its members', () =>
    given(...shared)
      .when(remove('ann'))
      .emits({ type: 'ProjectDeleted', ...on, members: ['ed', 'vi'], because: 'owner' }));
  it('is only for the owner', () => {
    for (const by of ['ed', 'vi'])
      given(...shared)
        .when(remove(by))
        .refuses('not_project_owner');
    given(...shared)
      .when(remove('eve'))
      .refuses('project_not_found');
  });
  it('is refused while a hold keeps the data of the owner', () => {
    given(...shared)
      .when(remove('ann', ['h']))
      .refuses('on_hold');
    given(...shared)
      .when(remove('ann', ['h'], true))
      .refuses('on_hold');
  });
  it('does not find a deleted project', () =>
    given(created(), { type: 'ProjectDeleted', ...on, members: [], because: 'owner' })
      .when(remove('ann'))
      .refuses('project_not_found'));
});

describe('erasing the owner', () => {
  it('deletes all projects', () =>
    given(...shared, created('q'))
      .when({ type: 'Erase' })
      .emits(
        { type: 'ProjectDeleted', ...on, members: ['ed', 'vi'], because: 'user_erased' },
        { type: 'ProjectDeleted', projectId: 'q', members: [], because: 'user_erased' },
        { type: 'ProjectsErased', projects: 2 },
      ));
  it('is idempotent', () => given({ type: 'ProjectsErased', projects: 2 }).when({ type: 'Erase' }).emits());
});

describe('in any order of commands', () => {
  const users = fc.constantFrom('ann', 'ben', 'cleo', 'dora');
  const projectId = fc.constantFrom('p', 'q');
  const role = fc.constantFrom<MemberRole>('viewer', 'editor');
  const command: fc.Arbitrary<ProjectsCommand> = fc.oneof(
    fc.record({ type: fc.constant('Create' as const), projectId, by: fc.constant('ann'), ...asConstants(settings) }),
    fc.record({ type: fc.constant('Change' as const), projectId, by: users, changes: fc.constant({ title: 'another' }) }),
    fc.record({ type: fc.constant('SetMember' as const), projectId, by: users, userId: users, role }),
    fc.record({ type: fc.constant('RemoveMember' as const), projectId, by: users, userId: users }),
    fc.record({
      type: fc.constant('Delete' as const),
      projectId,
      by: users,
      holds: fc.constantFrom([], ['h']),
      forAdmin: fc.boolean(),
    }),
    fc.record({ type: fc.constant('EraseMember' as const), userId: fc.constantFrom('ben', 'cleo') }),
    fc.record({ type: fc.constant('Erase' as const) }),
  );

  it('only members change a project, only its owner changes its members, and a repeat of an accepted command that is no deletion changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let state = projects.initialState;
        for (const each of commands) {
          const decided = projects.decide(each, state);
          if (decided instanceof Refusal) continue;
          for (const event of decided) {
            if (event.type === 'ProjectChanged')
              expect(event.by === 'ann' || state.members[event.projectId]![event.by] === 'editor').toBe(true);
            if (event.type === 'ProjectMemberSet' || event.type === 'ProjectDeleted')
              expect(each.type === 'Erase' || ('by' in each && each.by === 'ann')).toBe(true);
            if (event.type === 'ProjectMemberRemoved' && 'by' in each)
              expect([each.by, 'ann']).toContain(each.by === 'ann' ? 'ann' : event.userId);
          }
          const after = fold(projects, decided, state);
          if (each.type !== 'Delete' && each.type !== 'Change') {
            const repeated = projects.decide(each, after);
            // A user who has left is no longer a member, and an erased owner has no projects.
            if (!(repeated instanceof Refusal)) expect(repeated).toEqual([]);
          }
          state = after;
          expect(Object.values(state.members).every((members) => !('ann' in members))).toBe(true);
          if (state.isErased) expect(state.members).toEqual({});
        }
      }),
    );
  });
});

function asConstants<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>;
  };
}
