import { choiceParam, textParam } from '../../../../app/search-params.ts';

const KINDS = ['hour', 'day'] as const;
export type ExportKind = (typeof KINDS)[number];

interface ExportsSearch {
  kind?: ExportKind | undefined;
  token?: string | undefined;
}

export const exportsSearch = (raw: Record<string, unknown>): ExportsSearch => ({
  kind: choiceParam(raw['kind'], KINDS),
  token: textParam(raw['token']),
});
