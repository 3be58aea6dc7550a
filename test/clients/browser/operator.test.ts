import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSite } from './site.ts';

const site = await openSite();

const PATH = '/dashboard/operator';

/** An operator who is signed in. */
async function signIn(page: Page, email: string): Promise<void> {
  await site.signUpAndAccept(page, email);
  await site.promote(email);
}

describe('the overview of an operator', () => {
  it.each([true, false])(
    'says first what needs attention, and finds a key from its search, with a script: %s',
    async (javaScriptEnabled) => {
      const { page } = await site.visitor({ javaScriptEnabled });
      const email = `overview-${javaScriptEnabled}@example.com`;
      await signIn(page, email);
      const key = await site.createKey(page, 'Billing report');
      expect(await site.ask(key)).toBe(200);
      await page.goto('/dashboard/keys');
      const href = await page.getByRole('link', { name: 'Billing report' }).getAttribute('href');
      const id = href?.split('/').pop() ?? '';
      await page.goto(PATH);
      const [first = ''] = await page.getByRole('heading', { level: 2 }).allTextContents();
      expect(first).toBe('Needs attention');
      const item = page.getByRole('listitem').filter({ hasText: 'The demo key of the first start' });
      expect(await item.locator('.badge').textContent()).toBe('Security');
      await item.getByRole('link', { name: 'Open the key' }).click();
      await page.waitForURL(`**${PATH}/keys/key_*`);
      await page.goto(PATH);
      const find = page.getByRole('searchbox', { name: 'Find a key or an account' });
      await find.fill(id);
      await find.press('Enter');
      await page.getByRole('heading', { name: 'Billing report', level: 1 }).waitFor();
      await page.goto(PATH);
      await find.fill(email);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('main').getByRole('link', { name: email, exact: true }).waitFor();
      const search = await page.getByRole('searchbox', { name: 'Search' }).boundingBox();
      const choice = await page.getByRole('combobox', { name: 'State' }).boundingBox();
      expect(choice).toMatchObject({ y: search?.y, height: search?.height });
      // A share stays beside its number, also on a tablet: all figures of a line stand at one height.
      await page.setViewportSize({ width: 768, height: 800 });
      await page.goto(PATH);
      const figures = await page
        .locator('dl.figures dd')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      expect(new Set(figures).size).toBe(1);
      await page.goBack();
      // On a phone, the states of an account stand side by side.
      await page.setViewportSize({ width: 390, height: 844 });
      const badges = page.getByRole('row').filter({ hasText: email }).locator('.badge');
      const [state, role] = await Promise.all([0, 1].map((index) => badges.nth(index).boundingBox()));
      expect((role?.x ?? 0) - (state?.x ?? 0) - (state?.width ?? 0)).toBeLessThan(10);
    },
  );
});

it('applies a choice beside a search in place, together with what is typed, and keeps the focus', async () => {
  const { page } = await site.visitor();
  await signIn(page, 'choice@example.com');
  await page.goto(`${PATH}/accounts`);
  await page.getByRole('searchbox', { name: 'Search' }).fill('choice@');
  const state = page.getByRole('combobox', { name: 'State' });
  await state.focus();
  await state.selectOption('disabled');
  await page.getByText('Nothing found').waitFor();
  expect(new URL(page.url()).search).toBe('?q=choice%40&state=disabled');
  await state.selectOption('active');
  await page.getByRole('rowheader', { name: 'choice@example.com' }).waitFor();
  expect(await page.getByText('Nothing found').count()).toBe(0);
  expect(await state.evaluate((one) => one === document.activeElement)).toBe(true);
  // An answer that comes too late is left out.
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/state=disabled/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/state=disabled/);
  await state.selectOption('disabled');
  await asked;
  await state.selectOption('unconfirmed');
  await page.getByText('Nothing found').waitFor();
  await state.selectOption('active');
  await page.getByRole('rowheader', { name: 'choice@example.com' }).waitFor();
  release();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  expect(await page.getByText('Nothing found').count()).toBe(0);
});

it('creates a token, shows the command that uses it, and revokes it once that is confirmed', async () => {
  const { page } = await site.visitor();
  await signIn(page, 'tokens@example.com');
  await page.goto(`${PATH}/tokens`);
  await page.getByRole('link', { name: 'Create token' }).click();
  await page.locator('#name:focus').fill('Nightly export');
  expect((await page.locator('.card').first().boundingBox())?.width).toBe(544);
  // The form is narrow, and the links to the other pages stay in one line.
  expect((await page.locator('.tabs').boundingBox())?.height).toBeLessThan(60);
  await page.getByRole('button', { name: 'Create token' }).click();
  expect(await page.locator('#curl').textContent()).toMatch(
    /^curl .*"Authorization: Bearer \$REVGATE_TOKEN" \\\n {2}--data-binary @startups\.csv "http:.*\/import"$/,
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${PATH}/tokens`);
  const row = page.getByRole('row').filter({ hasText: 'Nightly export' });
  await row.getByRole('link', { name: 'tokens@example.com' }).waitFor();
  await row.getByRole('link', { name: 'Revoke …' }).press('Enter');
  await page.getByRole('button', { name: 'Revoke token' }).press('Enter');
  await page.getByRole('status').filter({ hasText: 'The token is revoked.' }).waitFor();
  await row.getByText('revoked', { exact: true }).waitFor();
});

const IMPORTS = `${PATH}/imports`;
const TABLE = [
  'Company,Industry,MRR,Revenue,Total revenue,Customers,Subscriptions,For sale,Provider',
  'Acme,Software as a Service,"$1,250.50","$1,300.00","$9,000.00",30,20,no,Stripe',
  'Globex,Marketing,$900,$950,"$4,000",many,1,yes,Stripe',
].join('\n');
const fileOf = (text: string) => ({ name: 'startups.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

let hasSample = true;

describe('an upload', () => {
  it.each([true, false])(
    'goes from a file over its columns and a preview to the import, with a script: %s',
    async (javaScriptEnabled) => {
      const { page } = await site.visitor({ javaScriptEnabled });
      await signIn(page, `upload-${javaScriptEnabled}@example.com`);
      const step = (name: string) => page.locator('[aria-current="step"]', { hasText: name }).waitFor();
      const press = async (name: string, text = TABLE) => {
        // Without a script, a browser keeps no file from page to page.
        if (!javaScriptEnabled) {
          await page.getByText('Choose startups.csv again').waitFor();
          await page.locator('#file').setInputFiles(fileOf(text));
        }
        await page.getByRole('button', { name }).click();
      };
      await page.goto(IMPORTS);
      await page.getByRole('link', { name: 'Upload a file' }).click();
      await step('File');
      await page.locator('#file').setInputFiles(fileOf(TABLE));
      await page.getByRole('button', { name: 'Continue' }).click();

      await step('Columns');
      expect(await page.locator('.steps p').textContent()).toMatch(/^startups\.csv \d+ bytes$/);
      expect(await page.locator('#file').isVisible()).toBe(!javaScriptEnabled);
      await page.getByRole('heading', { name: '1 to answer' }).waitFor();
      // Each column is answered in its row, beside its values in the file and as stored.
      const rowOf = (name: string) =>
        page.getByRole('row').filter({ has: page.getByLabel(`Field of ${name}`, { exact: true }) });
      await rowOf('MRR').getByText('$1,250.50 → $1,250.50').waitFor();
      await rowOf('Customers').getByLabel('“many”').waitFor();
      const choose = async (label: string, value: string) => {
        await page.getByLabel(label, { exact: true }).selectOption(value);
        // With a script, it is checked at once.
        if (!javaScriptEnabled) {
          await press('Check again');
        }
      };
      await choose('Notation of MRR', 'dollars');
      await rowOf('MRR').getByText('$1,250.50 → $1,250.50').waitFor();
      await choose('Field of Subscriptions', '');
      await page.getByText('Active subscriptions missing').waitFor();
      await choose('Field of Subscriptions', 'activeSubscriptions');
      await page.getByRole('heading', { name: '1 to answer' }).waitFor();
      await page.getByLabel('“many”').fill('250');
      await press('Preview');

      await step('Preview');
      await page.getByText('as customers will see them').waitFor();
      expect(await page.locator('.records tbody tr').count()).toBe(2);
      expect(await page.getByRole('button', { name: 'Preview again' }).isVisible()).toBe(false);
      await page.getByText('Rules, and a name for the mapping').click();
      await page.getByLabel('Store the mapping as').fill(`Table ${javaScriptEnabled}`);
      // Only the first import removes the sample.
      const warning = page.locator('form').getByRole('status').filter({ hasText: '500 sample startups' });
      expect(await warning.count()).toBe(hasSample ? 1 : 0);
      hasSample = false;
      await press('Import 2 records');

      await page.getByRole('heading', { name: 'Import of startups.csv' }).waitFor();
      await step('Import');
      await page.getByText('The import is done.').waitFor();
      expect(page.url()).toMatch(/imports\/\d+\?notice=imported$/);
      await page.getByRole('link', { name: 'All imports' }).click();
      await page.getByRole('row').filter({ hasText: 'startups.csvdashboard' }).first().waitFor();
    },
  );

  it('leaves out invalid records from its preview, and takes a file that is dropped anywhere', async () => {
    const { page } = await site.visitor();
    await signIn(page, 'drop@example.com');
    await page.goto(`${IMPORTS}/new`);
    await page.getByLabel('Drop a file here, or choose one').waitFor();
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'startups.csv', { type: 'text/csv' }));
      return transfer;
    }, TABLE);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.dispatchEvent('dragover', { dataTransfer: dropped });
    await page.locator('#file.over').waitFor();
    await heading.dispatchEvent('drop', { dataTransfer: dropped });
    await page.locator('#file:focus:not(.over)').waitFor();
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('heading', { name: 'Assign columns' }).waitFor();
    await page.getByLabel('“many”').fill('invalid');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: '1 of 2 records is invalid: nothing was imported.' }).waitFor();
    // What can be done stands above what it is about, in the first screen of a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    const leaveOut = page.getByRole('button', { name: 'Leave out 1 invalid record' });
    const errors = await page.getByRole('heading', { name: 'Errors' }).boundingBox();
    expect((await leaveOut.boundingBox())?.y).toBeLessThan(errors?.y ?? 0);
    await leaveOut.press('Enter');
    await page.getByRole('button', { name: 'Import 1 record' }).waitFor();
    const mrr = page.locator('.records th', { hasText: /^MRR/ });
    expect(await mrr.evaluate((cell) => getComputedStyle(cell).textAlign)).toMatch(/right|end/);
  });

  it('keeps what was chosen in each step, and the file, while the browser goes back and forth', async () => {
    const { page, errors } = await site.visitor();
    await signIn(page, 'back@example.com');
    await page.goto(`${IMPORTS}/new`);
    await page.locator('#file').setInputFiles(fileOf(TABLE));
    await page.getByRole('button', { name: 'Continue' }).click();
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await heading('Assign columns');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.getByLabel('many').fill('7');
    await page.getByRole('link', { name: 'Back to the file' }).click();
    await heading('Upload startups');
    const chosen = () =>
      page.locator('#file').evaluate((input) => (input as HTMLInputElement).files?.[0]?.name);
    expect(await chosen()).toBe('startups.csv');
    await page.goForward();
    await heading('Assign columns');
    expect(await page.getByLabel('many').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Preview' }).click();
    await heading('Preview');
    await page.goBack();
    await heading('Assign columns');
    expect(await page.getByLabel('many').inputValue()).toBe('7');
    // A file that cannot be sent: it says so, and offers to choose it again.
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('alert').filter({ hasText: 'The server could not be reached.' }).waitFor();
    expect(await page.locator('#file').isVisible()).toBe(true);
    expect(errors.splice(0)).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Preview' }).click();
    await heading('Preview');
  });
});
