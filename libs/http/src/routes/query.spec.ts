import { describe, expect, it } from '@jest/globals';
import { PageQuery, queryValidatorOf } from './query.ts';

describe('the query of a list', () => {
  const validate = queryValidatorOf(PageQuery);

  it('has a limit of 100 by default', () => {
    expect(validate({})).toMatchObject({ limit: 100 });
    expect(validate({ limit: '7' })).toMatchObject({ limit: 7 });
  });
});
