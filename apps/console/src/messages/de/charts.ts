import type { charts as English } from '../en/charts.ts';

/** Texts of the charts in ui/charts. */
export const charts: typeof English = {
  day: 'Tag',
  showTable: 'Als Tabelle anzeigen',
  showChart: 'Als Diagramm anzeigen',
  noDays: 'In diesem Zeitraum wurde nichts erfasst.',
};
