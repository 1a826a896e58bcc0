#!/usr/bin/env node
import '../src/counterfoil.ts'
