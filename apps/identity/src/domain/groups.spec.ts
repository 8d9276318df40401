import { describe, expect, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { groups, isGroup } from './groups.ts';

const given = specify(groups);
const deleted = { type: 'GroupDeleted', name: 'red' } as const;
const emptied = { type: 'GroupEmptied', name: 'red' } as const;
const created = { type: 'GroupCreated', name: 'red', creation: '1' } as const;

describe('custom groups', () => {
  it('are made', () => given().when({ type: 'Create', name: 'red', creation: '1' }).emits(created));
  it('are made once by a request and its retry', () => given(created).when({ type: 'Create', name: 'red', creation: '1' }).emits());
  it.each(['red', 'Red', 'admin', 'PublishAllowed'])('can not be called %s when that is taken', (name) =>
    given(created).when({ type: 'Create', name, creation: '2' }).refuses('group_exists'),
  );
  it('can not be called as another is, but for how an accent is written', () =>
    given({ type: 'GroupCreated', name: 'A\u0308rzte', creation: '1' })
      .when({ type: 'Create', name: '\u00c4RZTE', creation: '2' })
      .refuses('group_exists'));
  it('are found and deleted however an accent is written', () => {
    const doctors = { type: 'GroupCreated', name: '\u00c4rzte', creation: '1' } as const;
    given(doctors).when({ type: 'Delete', name: 'A\u0308rzte' }).emits({ type: 'GroupDeleted', name: '\u00c4rzte' });
    // Of an earlier release, which kept it as it came.
    given({ ...doctors, name: 'A\u0308rzte' })
      .when({ type: 'Delete', name: 'A\u0308rzte' })
      .emits({ type: 'GroupDeleted', name: 'A\u0308rzte' });
  });
  it('are deleted', () => given(created).when({ type: 'Delete', name: 'red' }).emits({ type: 'GroupDeleted', name: 'red' }));
  it('are not deleted when there is none', () => given().when({ type: 'Delete', name: 'toString' }).refuses('group_not_found'));
  it('are not those that are always there', () => given().when({ type: 'Delete', name: 'Admin' }).refuses('group_built_in'));
  it('are not made again before everybody has left', () =>
    given(created, deleted).when({ type: 'Create', name: 'red', creation: '2' }).refuses('group_being_deleted'));
  it('are empty when everybody has left', () => given(created, deleted).when({ type: 'Emptied', name: 'red' }).emits(emptied));
  it('are empty once', () => given(created, deleted, emptied).when({ type: 'Emptied', name: 'red' }).emits());
  it('are not deleted twice', () => given(created, deleted).when({ type: 'Delete', name: 'red' }).refuses('group_not_found'));
  it('may be made again then', () =>
    given(created, deleted, emptied)
      .when({ type: 'Create', name: 'red', creation: '2' })
      .emits({ ...created, creation: '2' }));
  it('are known beside the built-in ones', () =>
    expect(['red', 'Admin', 'blue', 'green', 'toString'].map((name) => isGroup({ red: '1', green: null }, name))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]));
});
