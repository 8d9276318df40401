import { describe, expect, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { creationOf, groups, isGroup, isSameGroup } from './groups.ts';

const given = specify(groups);
const deleted = { type: 'GroupDeleted', name: 'red' } as const;
const emptied = { type: 'GroupEmptied', name: 'red' } as const;
const created = { type: 'GroupCreated', name: 'red', creation: '1' } as const;

describe('custom groups', () => {
  it('are created', () => given().when({ type: 'Create', name: 'red', creation: '1' }).emits(created));
  it('are created once by a request and its retry', () => given(created).when({ type: 'Create', name: 'red', creation: '1' }).emits());
  it.each(['red', 'Red', 'admin', 'PublishAllowed'])('cannot have the name %s if it is taken', (name) =>
    given(created).when({ type: 'Create', name, creation: '2' }).refuses('group_exists'),
  );
  it('cannot have names that differ only in the Unicode form of an accent', () =>
    given({ type: 'GroupCreated', name: 'A\u0308rzte', creation: '1' })
      .when({ type: 'Create', name: '\u00c4RZTE', creation: '2' })
      .refuses('group_exists'));
  it('are found and deleted by any Unicode form of an accent', () => {
    const doctors = { type: 'GroupCreated', name: '\u00c4rzte', creation: '1' } as const;
    given(doctors).when({ type: 'Delete', name: 'A\u0308rzte' }).emits({ type: 'GroupDeleted', name: '\u00c4rzte' });
    // An earlier release stored the name without normalizing it.
    given({ ...doctors, name: 'A\u0308rzte' })
      .when({ type: 'Delete', name: 'A\u0308rzte' })
      .emits({ type: 'GroupDeleted', name: 'A\u0308rzte' });
  });
  it('are deleted', () => given(created).when({ type: 'Delete', name: 'red' }).emits({ type: 'GroupDeleted', name: 'red' }));
  it('cannot be deleted if they do not exist', () => given().when({ type: 'Delete', name: 'toString' }).refuses('group_not_found'));
  it('cannot be deleted if they are built in', () => given().when({ type: 'Delete', name: 'Admin' }).refuses('group_built_in'));
  it('cannot be created again before all members have left', () =>
    given(created, deleted).when({ type: 'Create', name: 'red', creation: '2' }).refuses('group_being_deleted'));
  it('are recorded as empty when all members have left', () =>
    given(created, deleted).when({ type: 'Emptied', name: 'red' }).emits(emptied));
  it('are emptied only once', () => given(created, deleted, emptied).when({ type: 'Emptied', name: 'red' }).emits());
  it('are not deleted twice', () => given(created, deleted).when({ type: 'Delete', name: 'red' }).refuses('group_not_found'));
  it('can be created again after all members have left', () =>
    given(created, deleted, emptied)
      .when({ type: 'Create', name: 'red', creation: '2' })
      .emits({ ...created, creation: '2' }));
  it('are distinguished from earlier groups with the same names', () => {
    const made = { settled: { red: '2', green: '1' }, recent: { green: null } };
    const same = (name: string, creation?: string | null) => isSameGroup(made, name, creation);
    expect([same('red', '2'), same('red', '1'), same('red', null), same('green', '1'), same('blue', '1')]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([same('Admin', null), same('red', undefined), same('blue', undefined)]).toEqual([true, true, false]);
    expect([creationOf(made, 'red'), creationOf(made, 'Admin'), creationOf(made, 'toString')]).toEqual(['2', null, null]);
  });
  it('are not copied by each event, however many there are', () => {
    let made = groups.initialState;
    for (let index = 0; index < 1_000; index++)
      made = groups.evolve(made, { type: 'GroupCreated', name: `g${index}`, creation: `${index}` });
    const before = made;
    made = groups.evolve(groups.evolve(made, created), { type: 'GroupDeleted', name: 'g1' });
    expect(made.settled).toBe(before.settled);
    expect(['g0', 'g1', 'g999', 'red'].map((name) => creationOf(made, name))).toEqual(['0', null, '999', '1']);
    made = groups.evolve(made, { type: 'GroupEmptied', name: 'g1' });
    expect(['g0', 'g1', 'red'].map((name) => isGroup(made, name))).toEqual([true, false, true]);
  });
  it('are recognised in addition to the built-in ones', () =>
    expect(
      ['red', 'Admin', 'blue', 'green', 'toString'].map((name) => isGroup({ settled: { red: '1' }, recent: { green: null } }, name)),
    ).toEqual([true, true, false, false, false]));
});
