import { describe, expect, it } from '@jest/globals';
import { fullName } from './person.ts';

describe('a full name', () => {
  it.each([
    ['Ann', 'Archer', 'Ann Archer'],
    ['Ann', '', 'Ann'],
    ['', 'Archer', 'Archer'],
    ['小明', '王', '王小明'],
    ['たろう', 'やまだ', 'やまだたろう'],
    ['민수', '김', '김민수'],
    ['Taro', 'Yamada', 'Taro Yamada'],
    ['', '', ''],
  ])('of %s and %s is in the order of its script', (first_name, last_name, name) => {
    expect(fullName({ first_name, last_name })).toBe(name);
  });
});
