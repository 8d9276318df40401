import { describe, expect, it } from '@jest/globals';
import { groupResource } from './group-resource.ts';

describe('a group as a SCIM resource', () => {
  const base = 'https://parlance.example.org/scim/v2';
  const metaOf = (create_time: number | null) => groupResource({ name: 'Sales', built_in: false, create_time }, null, base).meta;

  it('has the time of its creation', () => {
    const time = '2027-01-15T08:00:00.000Z';
    expect(metaOf(1_800_000_000)).toMatchObject({ created: time, lastModified: time });
  });
  it('has no time of creation if the group is built in', () => {
    expect(metaOf(null)).toEqual({ resourceType: 'Group', location: `${base}/Groups/Sales` });
  });
});
