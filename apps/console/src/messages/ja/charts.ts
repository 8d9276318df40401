import type { charts as English } from '../en/charts.ts';

/** Texts of the charts in ui/charts. */
export const charts: typeof English = {
  day: '日付',
  showTable: '表で表示',
  showChart: 'グラフで表示',
  noDays: 'この期間の記録はありません。',
};
