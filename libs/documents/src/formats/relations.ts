import { posix } from 'node:path';
import type { ZipArchive } from '../content/zip-archive.ts';
import { elements, parseXml } from '../content/xml.ts';

/** The path of a part in the archive from a link in another part. It cannot leave the archive, because only entries of the archive are read. */
export function resolvePart(from: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target);
  return posix.normalize(path).replace(/^\.\//, '');
}

/** The parts that a part of an Office file links to, by the id of the link. */
export async function targetsOf(archive: ZipArchive, part: string): Promise<ReadonlyMap<string, string>> {
  const bytes = await archive.read(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`));
  const targets = new Map<string, string>();
  if (bytes === undefined) return targets;
  for (const { attributes } of elements(parseXml(bytes), 'Relationship'))
    if (attributes['Id'] !== undefined && attributes['Target'] !== undefined && attributes['TargetMode'] !== 'External')
      targets.set(attributes['Id'], resolvePart(part, attributes['Target']));
  return targets;
}
