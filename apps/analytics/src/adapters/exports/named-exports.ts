import { named, type ObjectNames, released } from '@parlance/object-store';
import { type ExportEvent, exportStream } from '../../domain/export.ts';
import { keyOfExport } from './export-files.ts';

const STREAMS = exportStream('');

/**
 * The finished exports. The file of an outdated or claimed export may be removed before an event records it, so only an export whose newest event
 * is `ExportWritten` certainly has its file.
 */
export const namedObjects: ObjectNames = (stream, occurred) => {
  if (!stream.startsWith(STREAMS)) return [];
  const event = occurred as ExportEvent;
  return event.type === 'ExportWritten' ? [named(event.key)] : [released(keyOfExport(stream.slice(STREAMS.length)))];
};
