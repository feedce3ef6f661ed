import { render, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Icon } from './icon.tsx'
import { names } from './icon-set.tsx'
import { iconNames, providerOf, resolveIcon } from './resolve.ts'

test.each([
  ['Kubernetes::Pod', 'container'],
  ['Kubernetes::StatefulSet', 'layers'],
  ['Kubernetes::ConfigMap', 'settings'],
  ['Kubernetes::SomethingNew', 'kubernetes'],
  ['AWS::EC2::Instance', 'server'],
  ['AWS::S3::Bucket', 'bucket'],
  ['AWS::Unknown::Thing', 'aws'],
  ['Azure::VirtualMachine', 'server'],
  ['kubernetes', 'kubernetes'],
  ['postgres', 'database'],
  ['sql_server', 'database'],
  ['Postgres', 'database'],
  ['aws-ec2-instance', 'server'],
  ['http', 'globe'],
  ['redis', 'redis'],
  ['pods', 'container'],
  ['azure_devops', 'azure'],
  ['', undefined],
  [null, undefined],
  ['zzz', undefined],
])('the icon of %s is %s', (name, icon) => expect(resolveIcon(name)).toBe(icon))

test('every icon we name is drawn', () => {
  expect(iconNames.filter((name) => !names.includes(name))).toEqual([])
})

test('the provider of a type', () => {
  expect([providerOf('Kubernetes::Pod'), providerOf('AWS::EC2::Instance'), providerOf('Pod')]).toEqual([
    'kubernetes',
    'aws',
    undefined,
  ])
})

test('known names are drawn once the set is there; others show a letter', async () => {
  const { container, rerender } = render(<Icon name="Kubernetes::Pod" />)
  await waitFor(() => expect(container.querySelector('svg')).not.toBeNull())
  rerender(<Icon name="zebra" />)
  expect(container.textContent).toBe('Z')
})
