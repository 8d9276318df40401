import { describe, expect, it } from '@jest/globals';
import { hasSources, NO_SOURCES, sourcesAfter } from './knowledge-sources.ts';

const present = { source_urls: ['https://a.example/'], sitemap_urls: [], s3_urls: ['s3://b/'], filenames: ['one.txt', 'two.txt'] };

describe('the sources of a bot after a request', () => {
  it('keep the lists that are absent', () =>
    expect(sourcesAfter({ sitemap_urls: ['https://a.example/s.xml'] }, present)).toEqual({
      ...present,
      sitemap_urls: ['https://a.example/s.xml'],
    }));
  it('contain the files of a complete list', () =>
    expect(sourcesAfter({ filenames: ['three.txt'] }, present)).toMatchObject({ filenames: ['three.txt'] }));
  it('contain the added files and not the deleted ones', () =>
    expect(sourcesAfter({ added_filenames: ['three.txt'], deleted_filenames: ['one.txt'] }, present)).toMatchObject({
      filenames: ['two.txt', 'three.txt'],
    }));
  it('contain no other files than the unchanged and the added ones', () =>
    expect(sourcesAfter({ unchanged_filenames: ['two.txt'], added_filenames: ['three.txt'] }, present)).toMatchObject({
      filenames: ['two.txt', 'three.txt'],
    }));
  it('contain an added file once that was present before', () =>
    expect(sourcesAfter({ added_filenames: ['two.txt'] }, present)).toMatchObject({ filenames: ['one.txt', 'two.txt'] }));
  it('contain no repetitions', () =>
    expect(sourcesAfter({ source_urls: ['https://b.example/', 'https://b.example/'] }, present)).toMatchObject({
      source_urls: ['https://b.example/'],
    }));
  it('can be empty', () => {
    const empty = sourcesAfter({ source_urls: [], s3_urls: [], filenames: [] }, present);
    expect(empty).toEqual(NO_SOURCES);
    expect(hasSources(NO_SOURCES)).toBe(false);
    expect(hasSources(present)).toBe(true);
  });
});

describe('a request is refused', () => {
  it.each([
    ['a complete list together with changes', { filenames: [], added_filenames: ['a.txt'] }, 'filenames'],
    ['an unchanged file that the bot does not have', { unchanged_filenames: ['three.txt'] }, 'unchanged_filenames'],
    ['a file that is added and deleted', { added_filenames: ['a.txt'], deleted_filenames: ['a.txt'] }, 'added_filenames'],
    ['a file that is unchanged and deleted', { unchanged_filenames: ['one.txt'], deleted_filenames: ['one.txt'] }, 'unchanged_filenames'],
  ] as const)('with %s', (_, request, path) => expect(sourcesAfter(request, present)).toMatchObject({ path }));
});
