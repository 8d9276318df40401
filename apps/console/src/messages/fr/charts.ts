import type { charts as English } from '../en/charts.ts';

/** Texts of the charts in ui/charts. */
export const charts: typeof English = {
  day: 'Jour',
  showTable: 'Afficher en tableau',
  showChart: 'Afficher en graphique',
  noDays: 'Aucune donnée sur cette période.',
};
