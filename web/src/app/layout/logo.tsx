/** The mark of the product: a quarter of a ship's wheel. public/favicon.svg is the same drawing. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g className="stroke-on-accent" strokeLinecap="round" strokeWidth="2.6">
        <path d="M9.5 9.5v13h13" />
        <path d="M9.5 12.5a10 10 0 0 1 10 10" />
        <path d="m9.5 22.5 10.800-10.800" />
      </g>
      <circle cx="9.5" cy="22.5" r="2.600" className="fill-on-accent" />
    </svg>
  )
}
