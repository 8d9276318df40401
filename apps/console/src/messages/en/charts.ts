/** Texts of the charts in ui/charts. */
export const charts = {
  day: 'Day',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  noDays: 'Nothing was recorded in this period.',
};
